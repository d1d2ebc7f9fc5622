-- What each customer has bought, those included who have bought nothing yet. One commit, so that no reader sees
-- half of it: new and changed customers are written, those that are gone at the source go.
MERGE INTO ${refined}.customer_value AS target
USING (
    SELECT
        COALESCE(fresh.customer_id, stored.customer_id) AS customer_id,
        fresh.first_name,
        fresh.last_name,
        fresh.country,
        fresh.orders,
        fresh.copies,
        fresh.revenue,
        fresh.first_order,
        fresh.last_order
    FROM (
        SELECT
            customer.customer_id,
            customer.first_name,
            customer.last_name,
            customer.country,
            COUNT(sales.sale_id) AS orders,
            CAST(COALESCE(SUM(sales.quantity), 0) AS bigint) AS copies,
            CAST(COALESCE(SUM(sales.total_price), 0) AS decimal(38, 2)) AS revenue,
            MIN(sales.sale_date) AS first_order,
            MAX(sales.sale_date) AS last_order
        FROM ${clean}.customer AS customer
        LEFT JOIN ${clean}.sales AS sales ON sales.customer_id = customer.customer_id
        GROUP BY customer.customer_id, customer.first_name, customer.last_name, customer.country
    ) AS fresh
    FULL OUTER JOIN ${refined}.customer_value AS stored ON stored.customer_id = fresh.customer_id
) AS source
    ON target.customer_id = source.customer_id
WHEN MATCHED AND source.orders IS NULL THEN DELETE
WHEN MATCHED AND (
    target.first_name IS DISTINCT FROM source.first_name
    OR target.last_name IS DISTINCT FROM source.last_name
    OR target.country IS DISTINCT FROM source.country
    OR target.orders <> source.orders
    OR target.copies <> source.copies
    OR target.revenue <> source.revenue
    OR target.first_order IS DISTINCT FROM source.first_order
    OR target.last_order IS DISTINCT FROM source.last_order
) THEN UPDATE SET
    first_name = source.first_name,
    last_name = source.last_name,
    country = source.country,
    orders = source.orders,
    copies = source.copies,
    revenue = source.revenue,
    first_order = source.first_order,
    last_order = source.last_order
WHEN NOT MATCHED THEN INSERT (
    customer_id, first_name, last_name, country, orders, copies, revenue, first_order, last_order
) VALUES (
    source.customer_id, source.first_name, source.last_name, source.country, source.orders, source.copies,
    source.revenue, source.first_order, source.last_order
);
