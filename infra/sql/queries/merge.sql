-- A batch of changes that a person staged, merged by hand: what the functions do by themselves. Before it:
--   CREATE TABLE ${database}.customer_orders (order_id bigint, order_total decimal(12, 2))
--     LOCATION 's3://…/${database}/customer_orders' TBLPROPERTIES ('table_type' = 'ICEBERG');
--   CREATE TABLE ${database}.cdc_batch (op string, order_id bigint, order_total decimal(12, 2))
--     LOCATION 's3://…/${database}/cdc_batch' TBLPROPERTIES ('table_type' = 'ICEBERG');
-- The batch has one row a key, the newest; op is I, U or D.
MERGE INTO ${database}.customer_orders AS orders
USING ${database}.cdc_batch AS batch
    ON orders.order_id = batch.order_id
WHEN MATCHED AND batch.op = 'D' THEN DELETE
WHEN MATCHED THEN UPDATE SET order_total = batch.order_total
WHEN NOT MATCHED AND batch.op <> 'D' THEN INSERT (order_id, order_total) VALUES (batch.order_id, batch.order_total);
