-- What each category sold in each month. One commit, so that no reader sees half of it: new and changed months
-- are written, those without sales any more go.
MERGE INTO ${refined}.sales_by_category_and_month AS target
USING (
    SELECT
        COALESCE(fresh.category, stored.category) AS category,
        COALESCE(fresh.month, stored.month) AS month,
        fresh.sales,
        fresh.copies,
        fresh.revenue
    FROM (
        SELECT
            book.category,
            CAST(date_trunc('month', sales.sale_date) AS date) AS month,
            COUNT(*) AS sales,
            CAST(SUM(sales.quantity) AS bigint) AS copies,
            CAST(SUM(sales.total_price) AS decimal(38, 2)) AS revenue
        FROM ${clean}.sales AS sales
        JOIN ${clean}.book AS book ON book.book_id = sales.book_id
        GROUP BY 1, 2
    ) AS fresh
    FULL OUTER JOIN ${refined}.sales_by_category_and_month AS stored
        ON stored.category = fresh.category AND stored.month = fresh.month
) AS source
    ON target.category = source.category AND target.month = source.month
WHEN MATCHED AND source.sales IS NULL THEN DELETE
WHEN MATCHED AND (
    target.sales <> source.sales OR target.copies <> source.copies OR target.revenue <> source.revenue
) THEN UPDATE SET sales = source.sales, copies = source.copies, revenue = source.revenue
WHEN NOT MATCHED THEN INSERT (category, month, sales, copies, revenue)
    VALUES (source.category, source.month, source.sales, source.copies, source.revenue);
