-- Merges small files, and deletes into the files that they delete from. The optimizer does it by itself.
OPTIMIZE "${database}"."${table}" REWRITE DATA USING BIN_PACK;
