//! Files of a folder that a table holds: the newest by name, a floor below them, and how much of a
//! file in progress. Full load files and change files are kept apart, since their names sort apart.

use serde::{Deserialize, Serialize};

use crate::batch::FilePart;

/// Files kept by name above the floor. A file that turns up late is applied as long as its name is
/// above it.
const MAX_FILES: usize = 64;

/// What a table holds of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Files {
    /// How often full load files came again with other content.
    #[serde(default)]
    reloads: u32,
    #[serde(default)]
    load: Applied,
    #[serde(default)]
    changes: Applied,
    /// A file of which the first records were applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    in_progress: Option<InProgress>,
}

/// Applied files of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Applied {
    /// Files up to this name were applied, or never seen.
    #[serde(default)]
    floor: String,
    /// The newest by name, with their etags, in the order of names.
    #[serde(default)]
    newest: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct InProgress {
    name: String,
    etag: String,
    records: u64,
}

/// What a file is to the table that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileStanding {
    /// Not applied.
    New,
    /// Applied, this very content.
    Applied,
    /// Applied up to a record.
    InProgress {
        /// Records applied.
        records: u64,
    },
    /// A full load file that was applied with other content: the load was started again.
    Reloaded,
    /// A change file that was applied with other content.
    Rewritten,
    /// Its name is below the floor, and nothing is known of it.
    BelowFloor,
}

impl Files {
    /// What the file is to the table.
    pub fn standing(&self, name: &str, etag: &str, full_load: bool) -> FileStanding {
        if let Some(progress) = &self.in_progress
            && (progress.name.as_str(), progress.etag.as_str()) == (name, etag)
        {
            return FileStanding::InProgress { records: progress.records };
        }
        let applied = self.kind(full_load);
        match applied.newest.iter().find(|(known, _)| known == name) {
            Some((_, known)) if known == etag => FileStanding::Applied,
            Some(_) if full_load => FileStanding::Reloaded,
            Some(_) => FileStanding::Rewritten,
            None if self.is_below_floor(name, full_load) => FileStanding::BelowFloor,
            None => FileStanding::New,
        }
    }

    /// Whether a file of that name was applied, whatever its content was.
    pub fn knows(&self, name: &str) -> bool {
        let mut newest = self.load.newest.iter().chain(&self.changes.newest);
        newest.any(|(known, _)| known == name)
    }

    /// Whether files that come behind a new one of that name are applied already. Full loads stand
    /// side by side; changes come behind them, until the load is started again.
    pub(super) fn is_late(&self, name: &str, full_load: bool) -> bool {
        match full_load {
            true => self.reloads == 0 && !self.changes.newest.is_empty(),
            false => self.changes.newest.last().is_some_and(|(newest, _)| newest.as_str() > name),
        }
    }

    /// Whether a file of that name is older than all that is remembered.
    pub fn is_below_floor(&self, name: &str, full_load: bool) -> bool {
        let floor = &self.kind(full_load).floor;
        !floor.is_empty() && name <= floor.as_str()
    }

    /// The name from which on a listing can hold files that are not yet applied.
    pub fn floor(&self, full_load: bool) -> &str {
        &self.kind(full_load).floor
    }

    /// How often the full load was started again. It ranks above the names of files: rows of a
    /// later load replace rows of earlier files.
    pub fn reloads(&self) -> u32 {
        self.reloads
    }

    /// Adds a part of a file.
    pub(super) fn add(&mut self, part: &FilePart) {
        let standing = self.standing(&part.name, &part.etag, part.full_load);
        if standing == FileStanding::Reloaded {
            // The other files of the load come again as well, and are no reload each.
            self.reloads += 1;
            self.load = Applied::default();
        }
        if !part.last {
            let (name, etag) = (part.name.clone(), part.etag.clone());
            self.in_progress = Some(InProgress { name, etag, records: part.end });
            return;
        }
        if matches!(standing, FileStanding::InProgress { .. }) {
            self.in_progress = None;
        }
        let applied = if part.full_load { &mut self.load } else { &mut self.changes };
        applied.newest.retain(|(name, _)| *name != part.name);
        applied.newest.push((part.name.clone(), part.etag.clone()));
        applied.newest.sort_unstable();
        if applied.newest.len() > MAX_FILES {
            applied.floor = applied.newest.remove(0).0;
        }
    }

    fn kind(&self, full_load: bool) -> &Applied {
        if full_load { &self.load } else { &self.changes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, etag: &str, full_load: bool, end: u64, last: bool) -> FilePart {
        FilePart {
            source: "shop".into(),
            from: "book".into(),
            name: name.into(),
            etag: etag.into(),
            full_load,
            start: 0,
            end,
            last,
        }
    }

    #[test]
    fn a_file_is_applied_by_name_and_content() {
        let mut held = Files::default();
        held.add(&part("20240101-1.csv", "a", false, 3, true));
        assert_eq!(held.standing("20240101-1.csv", "a", false), FileStanding::Applied);
        assert_eq!(held.standing("20240101-1.csv", "b", false), FileStanding::Rewritten);
        assert_eq!(held.standing("20240101-2.csv", "a", false), FileStanding::New);
    }

    #[test]
    fn a_file_that_turns_up_late_is_new_until_its_name_falls_below_the_floor() {
        let mut held = Files::default();
        for n in 10..=10 + MAX_FILES {
            held.add(&part(&format!("{n:04}.csv"), "a", false, 1, true));
        }
        assert_eq!(held.standing("0010.csv", "a", false), FileStanding::BelowFloor);
        assert_eq!(held.standing("0009.csv", "a", false), FileStanding::BelowFloor);
        assert_eq!(held.standing("0010a.csv", "a", false), FileStanding::New);
        assert_eq!(held.floor(false), "0010.csv");
        assert_eq!(held.floor(true), "");
    }

    #[test]
    fn a_file_in_progress_knows_its_records_until_it_is_done() {
        let mut held = Files::default();
        held.add(&part("LOAD00000001.csv", "a", true, 500, false));
        let standing = held.standing("LOAD00000001.csv", "a", true);
        assert_eq!(standing, FileStanding::InProgress { records: 500 });
        assert_eq!(held.standing("LOAD00000001.csv", "b", true), FileStanding::New);
        held.add(&part("LOAD00000001.csv", "a", true, 800, true));
        assert_eq!(held.standing("LOAD00000001.csv", "a", true), FileStanding::Applied);
    }

    #[test]
    fn a_load_that_is_started_again_counts_once_for_all_its_files() {
        let mut held = Files::default();
        for name in ["LOAD00000001.csv", "LOAD00000002.csv"] {
            held.add(&part(name, "a", true, 1, true));
        }
        assert_eq!(held.standing("LOAD00000001.csv", "b", true), FileStanding::Reloaded);
        held.add(&part("LOAD00000001.csv", "b", true, 1, true));
        assert_eq!(held.standing("LOAD00000002.csv", "b", true), FileStanding::New);
        held.add(&part("LOAD00000002.csv", "b", true, 1, true));
        assert_eq!(held.reloads(), 1);
    }
}
