//! An Iceberg schema as Glue shows it: columns in Hive's type names, with Iceberg's field ids.
//!
//! The names of types and of the columns' parameters are those of Iceberg's own Glue catalog
//! (`IcebergToGlueConverter`), which Athena and Glue crawlers expect.

use aws_sdk_glue::types::Column;
use iceberg::spec::{NestedField, PrimitiveType, Schema, Type};

use crate::error::{Error, Result};

/// The columns of `schema`. A column without a comment of its own keeps the one that it has in
/// `before`.
pub(super) fn of(schema: &Schema, before: &[Column]) -> Result<Vec<Column>> {
    schema.as_struct().fields().iter().map(|field| column(field, before)).collect()
}

fn column(field: &NestedField, before: &[Column]) -> Result<Column> {
    let known = before.iter().find(|column| column.name().eq_ignore_ascii_case(&field.name));
    let comment = field.doc.clone().or_else(|| known?.comment.clone());
    Column::builder()
        .name(&field.name)
        .r#type(type_name(&field.field_type))
        .set_comment(comment)
        .parameters("iceberg.field.id", field.id.to_string())
        .parameters("iceberg.field.optional", (!field.required).to_string())
        .parameters("iceberg.field.current", "true")
        .build()
        .map_err(|error| Error::table(&field.name, error.to_string()))
}

fn type_name(own: &Type) -> String {
    match own {
        Type::Primitive(primitive) => primitive_name(primitive),
        Type::Struct(own) => {
            let field = |field: &std::sync::Arc<NestedField>| {
                format!("{}:{}", field.name, type_name(&field.field_type))
            };
            format!("struct<{}>", own.fields().iter().map(field).collect::<Vec<_>>().join(","))
        }
        Type::List(list) => format!("array<{}>", type_name(&list.element_field.field_type)),
        Type::Map(map) => format!(
            "map<{},{}>",
            type_name(&map.key_field.field_type),
            type_name(&map.value_field.field_type)
        ),
    }
}

fn primitive_name(primitive: &PrimitiveType) -> String {
    let name = match primitive {
        PrimitiveType::Boolean => "boolean",
        PrimitiveType::Int => "int",
        PrimitiveType::Long => "bigint",
        PrimitiveType::Float => "float",
        PrimitiveType::Double => "double",
        PrimitiveType::Decimal { precision, scale } => {
            return format!("decimal({precision},{scale})");
        }
        PrimitiveType::Date => "date",
        PrimitiveType::Timestamp
        | PrimitiveType::Timestamptz
        | PrimitiveType::TimestampNs
        | PrimitiveType::TimestamptzNs => "timestamp",
        // Hive has neither times nor uuids.
        PrimitiveType::Time | PrimitiveType::String | PrimitiveType::Uuid => "string",
        PrimitiveType::Fixed(_) | PrimitiveType::Binary => "binary",
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use iceberg::spec::{ListType, MapType, StructType};

    use super::*;

    #[test]
    fn types_have_hives_names() {
        let long = || Type::Primitive(PrimitiveType::Long);
        let nested = Type::Struct(StructType::new(vec![
            NestedField::optional(2, "at", Type::Primitive(PrimitiveType::Timestamptz)).into(),
            NestedField::optional(
                3,
                "ids",
                Type::List(ListType::new(NestedField::list_element(4, long(), true).into())),
            )
            .into(),
            NestedField::optional(
                5,
                "by",
                Type::Map(MapType::new(
                    NestedField::map_key_element(6, Type::Primitive(PrimitiveType::Uuid)).into(),
                    NestedField::map_value_element(
                        7,
                        Type::Primitive(PrimitiveType::Decimal { precision: 18, scale: 2 }),
                        true,
                    )
                    .into(),
                )),
            )
            .into(),
        ]));
        assert_eq!(
            type_name(&nested),
            "struct<at:timestamp,ids:array<bigint>,by:map<string,decimal(18,2)>>"
        );
    }

    #[test]
    fn columns_keep_their_comments_and_carry_field_ids() {
        let before =
            [Column::builder().name("id").r#type("int").comment("theirs").build().unwrap()];
        let schema = Schema::builder()
            .with_fields([
                NestedField::required(1, "id", Type::Primitive(PrimitiveType::Long)).into(),
                NestedField::optional(9, "name", Type::Primitive(PrimitiveType::String)).into(),
            ])
            .build()
            .unwrap();
        let columns = of(&schema, &before).unwrap();
        assert_eq!(columns[0].comment(), Some("theirs"));
        assert_eq!(columns[0].r#type(), Some("bigint"));
        let parameters = columns[1].parameters().unwrap();
        assert_eq!(parameters["iceberg.field.id"], "9");
        assert_eq!(parameters["iceberg.field.optional"], "true");
        assert_eq!(columns[0].parameters().unwrap()["iceberg.field.optional"], "false");
    }
}
