-- The rows as they were an hour ago. The snapshots to go back to: SELECT * FROM "${database}"."${table}$snapshots".
SELECT *
FROM "${database}"."${table}" FOR TIMESTAMP AS OF (current_timestamp - INTERVAL '1' HOUR)
LIMIT 100;
