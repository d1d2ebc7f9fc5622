-- What was applied, day by day, as the commits themselves tell it. Expired snapshots are not counted.
SELECT
    CAST(committed_at AS date) AS day,
    COUNT(*) AS commits,
    SUM(CAST(element_at(summary, 'cdc.inserts') AS bigint)) AS inserted,
    SUM(CAST(element_at(summary, 'cdc.updates') AS bigint)) AS updated,
    SUM(CAST(element_at(summary, 'cdc.deletes') AS bigint)) AS deleted,
    SUM(CAST(element_at(summary, 'cdc.rejected') AS bigint)) AS quarantined
FROM "${database}"."${table}$snapshots"
WHERE element_at(summary, 'cdc.commit-id') IS NOT NULL
GROUP BY 1
ORDER BY 1 DESC;
