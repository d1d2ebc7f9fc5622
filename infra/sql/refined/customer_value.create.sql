CREATE TABLE IF NOT EXISTS ${refined}.customer_value (
    customer_id int,
    first_name string,
    last_name string,
    country string,
    orders bigint,
    copies bigint,
    revenue decimal(38, 2),
    first_order date,
    last_order date
)
LOCATION '${location}/customer_value'
TBLPROPERTIES ('table_type' = 'ICEBERG');
