# A small MySQL database to begin with: its binary log tells whole rows, its password is in Secrets Manager
# and not in the state.

resource "aws_db_instance" "database" {
  #checkov:skip=CKV_AWS_16:storage is encrypted; the customer's key is optional (kms_key_arn)
  #checkov:skip=CKV_AWS_17:public only where public_ip asks for it, and then for that address alone
  #checkov:skip=CKV_AWS_118:enhanced monitoring costs; this database is to begin with
  #checkov:skip=CKV_AWS_157:one zone is enough to begin with; a production database is given, not created
  #checkov:skip=CKV_AWS_161:DMS logs in with a password
  #checkov:skip=CKV_AWS_293:a walk-through has to be able to end; a production database is given, not created
  #checkov:skip=CKV_AWS_353:performance insights are not for so small an instance
  #checkov:skip=CKV_AWS_129:the binary log is what is read; others are the account's choice
  #checkov:skip=CKV2_AWS_69:clients use TLS by themselves; demanding it would shut out DMS, which needs the database's certificate for it
  #checkov:skip=CKV2_AWS_30:query logs are no matter of MySQL
  #checkov:skip=CKV2_AWS_60:tags are copied to snapshots
  identifier     = "${var.name}-mysql"
  engine         = "mysql"
  engine_version = var.engine_version
  instance_class = var.instance_class
  db_name        = var.database_name

  username            = var.username
  password_wo         = var.password
  password_wo_version = var.password_version

  allocated_storage          = 20
  storage_type               = "gp3"
  storage_encrypted          = true
  kms_key_id                 = var.kms_key_arn
  auto_minor_version_upgrade = true
  copy_tags_to_snapshot      = true
  engine_lifecycle_support   = "open-source-rds-extended-support-disabled"

  # Without backups RDS keeps no binary log.
  backup_retention_period = 1
  parameter_group_name    = aws_db_parameter_group.cdc.name

  db_subnet_group_name   = aws_db_subnet_group.database.name
  vpc_security_group_ids = [aws_security_group.database.id]
  publicly_accessible    = var.public_ip != null

  skip_final_snapshot       = var.force_destroy
  final_snapshot_identifier = var.force_destroy ? null : "${var.name}-mysql-final"
  apply_immediately         = true
}

resource "aws_db_parameter_group" "cdc" {
  name_prefix = "${var.name}-cdc-"
  family      = "mysql${var.engine_version}"
  description = "A binary log of whole rows, as change data capture reads it"

  dynamic "parameter" {
    for_each = { binlog_format = "ROW", binlog_row_image = "full", binlog_checksum = "NONE" }
    content {
      name  = parameter.key
      value = parameter.value
    }
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_db_subnet_group" "database" {
  name       = "${var.name}-mysql"
  subnet_ids = var.subnet_ids
}

resource "aws_security_group" "database" {
  name        = "${var.name}-mysql"
  description = "MySQL of ${var.name}"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "network" {
  security_group_id = aws_security_group.database.id
  description       = "MySQL from within the network"
  cidr_ipv4         = var.network_cidr
  ip_protocol       = "tcp"
  from_port         = 3306
  to_port           = 3306
}

resource "aws_vpc_security_group_ingress_rule" "public" {
  count = var.public_ip == null ? 0 : 1

  security_group_id = aws_security_group.database.id
  description       = "MySQL from one address outside"
  cidr_ipv4         = var.public_ip
  ip_protocol       = "tcp"
  from_port         = 3306
  to_port           = 3306
}
