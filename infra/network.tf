# A network, where something is created that needs one: a cluster or a database.

module "network" {
  source = "./modules/network"
  count  = var.create_msk_cluster || local.creates_database ? 1 : 0

  name               = var.application_name
  region             = local.region
  cidr               = var.vpc_cidr
  availability_zones = coalesce(var.availability_zones, ["${local.region}a", "${local.region}b"])
  public             = local.creates_database && var.public_ip != null
  # Pollers of a cluster call Lambda and STS, DMS and connectors fetch logins, connectors write logs.
  interface_endpoints = distinct(concat(
    var.create_msk_cluster ? ["lambda", "sts"] : [],
    var.create_msk_cluster && length(var.debezium_connectors) > 0 ? ["logs", "secretsmanager"] : [],
    local.creates_database ? ["secretsmanager"] : [],
  ))
}

resource "aws_security_group" "dms" {
  #checkov:skip=CKV2_AWS_5:the replication of modules/dms-source is attached to it
  count = local.creates_database ? 1 : 0

  name        = "${var.application_name}-dms"
  description = "DMS of ${var.application_name}"
  vpc_id      = module.network[0].vpc_id
}

resource "aws_vpc_security_group_egress_rule" "dms_database" {
  count = local.creates_database ? 1 : 0

  security_group_id = aws_security_group.dms[0].id
  description       = "MySQL within the network"
  cidr_ipv4         = module.network[0].cidr
  ip_protocol       = "tcp"
  from_port         = 3306
  to_port           = 3306
}

resource "aws_vpc_security_group_egress_rule" "dms_services" {
  count = local.creates_database ? 1 : 0

  security_group_id = aws_security_group.dms[0].id
  description       = "HTTPS to S3 and Secrets Manager, which the network has endpoints for"
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}
