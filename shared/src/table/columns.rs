//! Changes -> Arrow columns in the table's types.
//!
//! Every change of a batch is converted, also those that a later change of the same key will win
//! over: a record whose values do not fit must be rejected before it can win. What comes out is
//! columnar, so that the later steps pick rows by index and never touch a value again.

mod builder;

use std::collections::BTreeSet;

use arrow::array::ArrayRef;
use rustc_hash::FxHashSet;

use super::layout::{Column, Filled, Layout};
use crate::change::{Cell, Change, Key, Op, Raw, Reason, Row, Value};
use crate::config::Mode;
use builder::ColumnBuilder;

/// The changes of a batch by column: one array a column of the table, one value a change.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) arrays: Vec<ArrayRef>,
    /// Cells whose value the source did not send, by change and column.
    unchanged: FxHashSet<(usize, usize)>,
    /// Changes that do not fit the table.
    pub(super) rejected: Vec<(usize, Reason)>,
    /// Columns that the table requires and that some change leaves null.
    pub(super) nulls_in_required: Vec<usize>,
}

impl Columns {
    /// Whether the change keeps what is stored in the column.
    pub(super) fn is_unchanged(&self, change: usize, column: usize) -> bool {
        !self.unchanged.is_empty() && self.unchanged.contains(&(change, column))
    }

    /// The columns in which the change keeps what is stored.
    pub(super) fn unchanged_of(&self, change: usize) -> impl Iterator<Item = usize> {
        let columns = if self.unchanged.is_empty() { 0 } else { self.arrays.len() };
        (0..columns).filter(move |&column| self.is_unchanged(change, column))
    }
}

/// Converts the changes of a batch.
pub(super) fn convert(changes: &[Change], layout: &Layout, mode: Mode) -> Columns {
    let mut converter = Converter {
        layout,
        builders: layout
            .columns
            .iter()
            .map(|column| ColumnBuilder::new(column, changes.len()))
            .collect(),
        names: Vec::new(),
        unchanged: FxHashSet::default(),
    };
    let mut rejected = Vec::new();
    let mut nulls_in_required = BTreeSet::new();
    for (index, change) in changes.iter().enumerate() {
        let filled = match (change.op, mode) {
            (Op::Insert | Op::Update, _) | (Op::Delete, Mode::Append) => {
                converter.whole_row(index, change)
            }
            (Op::Delete, Mode::Upsert) => converter.key_only(change),
            (Op::Delete, Mode::SoftDelete) => converter.key_and_kept_cells(index, change),
            (Op::Truncate, _) => {
                Err(Reason::new("is a truncate, which this table leaves to a person"))
            }
        };
        let filled = filled.and_then(|()| converter.own_columns(change));
        let mut nulls = Vec::new();
        let complete = converter.complete(index, change.op, &mut nulls);
        match filled.and(complete) {
            Ok(()) => nulls_in_required.extend(nulls),
            Err(reason) => rejected.push((index, reason)),
        }
    }
    Columns {
        nulls_in_required: nulls_in_required.into_iter().collect(),
        arrays: converter.finish(),
        unchanged: converter.unchanged,
        rejected,
    }
}

struct Converter<'a, 'c> {
    layout: &'a Layout,
    builders: Vec<ColumnBuilder>,
    /// The columns of the last row by their place in the row. Rows of one source list their columns
    /// in one order, so that a look at the name replaces a look-up.
    names: Vec<(&'c str, Option<usize>)>,
    unchanged: FxHashSet<(usize, usize)>,
}

impl<'a, 'c> Converter<'a, 'c> {
    fn whole_row(&mut self, index: usize, change: &'c Change) -> Result<(), Reason> {
        for (place, (name, cell)) in change.row.iter().enumerate() {
            if let Some(column) = self.column_at(place, name) {
                self.append(index, column, cell)?;
            }
        }
        for (part, &column) in self.layout.key.iter().enumerate() {
            if self.builders[column].len() == index
                && let Some(cell) = key_cell(&change.key, part, &self.layout.columns[column])
            {
                self.append(index, column, cell)?;
            }
        }
        Ok(())
    }

    /// A delete says which row goes; what else it carries may be made up.
    fn key_only(&mut self, change: &'c Change) -> Result<(), Reason> {
        for (part, &column) in self.layout.key.iter().enumerate() {
            let described = &self.layout.columns[column];
            let cell = key_cell(&change.key, part, described)
                .or_else(|| find(&change.row, &described.name));
            if let Some(Cell::Value(value)) = cell {
                let appended = self.builders[column].append(value, described.unit);
                appended.map_err(|reason| reason.in_column(&described.name))?;
            }
        }
        Ok(())
    }

    fn key_and_kept_cells(&mut self, index: usize, change: &'c Change) -> Result<(), Reason> {
        self.key_only(change)?;
        for (column, described) in self.layout.columns.iter().enumerate() {
            if described.filled == Filled::Row && !self.layout.is_key(column) {
                self.unchanged.insert((index, column));
            }
        }
        Ok(())
    }

    fn own_columns(&mut self, change: &Change) -> Result<(), Reason> {
        for (column, builder) in self.layout.columns.iter().zip(&mut self.builders) {
            let position;
            match column.filled {
                Filled::Row => continue,
                Filled::Version => builder.own_text(change.version.as_ref().map(|v| v.as_str())),
                Filled::Op => builder.own_text(Some(change.op.code())),
                Filled::Position => {
                    position = change.position.to_string();
                    builder.own_text(Some(&position));
                }
                Filled::SourceTime => builder.own_micros(change.source_time),
                Filled::Deleted => builder.own_truth(change.op == Op::Delete),
            }
        }
        Ok(())
    }

    /// Null for every column that the row left out, and the checks that need the whole row.
    /// `nulls` takes the required columns that are left null.
    fn complete(&mut self, index: usize, op: Op, nulls: &mut Vec<usize>) -> Result<(), Reason> {
        let mut fault = None;
        for (column, builder) in self.builders.iter_mut().enumerate() {
            let missing = builder.len() == index;
            if missing {
                builder.append_null();
            }
            if !builder.is_last_null() {
                continue;
            }
            let described = &self.layout.columns[column];
            if self.layout.is_key(column) {
                fault.get_or_insert_with(|| match missing {
                    true => Reason::new(format!("key column \"{}\" is missing", described.name)),
                    false => Reason::new(format!("key column \"{}\" is null", described.name)),
                });
            } else if described.required
                && op != Op::Delete
                && !self.unchanged.contains(&(index, column))
            {
                nulls.push(column);
            }
        }
        fault.map_or(Ok(()), Err)
    }

    fn append(&mut self, index: usize, column: usize, cell: &Cell) -> Result<(), Reason> {
        let described = &self.layout.columns[column];
        if described.filled != Filled::Row {
            let fault = "has a name that is kept for columns of ours: rename it at the source";
            return Err(Reason::new(fault).in_column(&described.name));
        }
        let builder = &mut self.builders[column];
        if builder.len() > index {
            let fault = "stands twice in the row (names are compared without regard to case)";
            return Err(Reason::new(fault).in_column(&described.name));
        }
        match cell {
            Cell::Null => builder.append_null(),
            Cell::Unchanged => {
                builder.append_null();
                self.unchanged.insert((index, column));
            }
            // An empty CSV field is a text, or in a column of another type the lack of a value.
            Cell::Value(Value { raw: Raw::Text(text), .. })
                if text.is_empty() && !described.holds_text() =>
            {
                builder.append_null();
            }
            Cell::Value(value) => builder
                .append(value, described.unit)
                .map_err(|reason| reason.in_column(&described.name))?,
        }
        Ok(())
    }

    fn column_at(&mut self, place: usize, name: &'c str) -> Option<usize> {
        match self.names.get(place) {
            Some(&(last, column)) if last == name => column,
            _ => {
                let column = self.layout.find(name);
                self.names.truncate(place);
                if self.names.len() == place {
                    self.names.push((name, column));
                }
                column
            }
        }
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let fields = self.layout.arrow.fields().iter();
        let builders = self.builders.iter_mut();
        builders.zip(fields).map(|(builder, field)| builder.finish(field.data_type())).collect()
    }
}

/// The cell of a key column in a key that stands apart from its row.
fn key_cell<'k, 'c>(key: &'k Key<'c>, part: usize, column: &Column) -> Option<&'k Cell<'c>> {
    match key {
        Key::InRow => None,
        Key::Named(cells) => find(cells, &column.name),
        Key::Ordered(cells) => cells.get(part),
    }
}

fn find<'k, 'c>(row: &'k Row<'c>, name: &str) -> Option<&'k Cell<'c>> {
    let exact = row.iter().find(|(own, _)| own == name);
    let folded = || row.iter().find(|(own, _)| own.to_lowercase() == name.to_lowercase());
    exact.or_else(folded).map(|(_, cell)| cell)
}
