-- The rows as the source has them now.
SELECT *
FROM "${database}"."${table}"
LIMIT 100;
