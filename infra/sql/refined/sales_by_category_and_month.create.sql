CREATE TABLE IF NOT EXISTS ${refined}.sales_by_category_and_month (
    category string,
    month date,
    sales bigint,
    copies bigint,
    revenue decimal(38, 2)
)
LOCATION '${location}/sales_by_category_and_month'
TBLPROPERTIES ('table_type' = 'ICEBERG');
