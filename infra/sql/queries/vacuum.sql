-- Removes old snapshots, and files that no snapshot needs. The optimizer does it by itself.
VACUUM "${database}"."${table}";
