# A small cluster for those who have none: MSK Serverless, which knows IAM authentication only.

resource "aws_msk_serverless_cluster" "cluster" {
  cluster_name = var.name

  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = [aws_security_group.cluster.id]
  }
  client_authentication {
    sasl {
      iam {
        enabled = true
      }
    }
  }
}

resource "aws_security_group" "cluster" {
  #checkov:skip=CKV2_AWS_5:brokers are attached above, connectors by the root module
  name        = "${var.name}-msk"
  description = "Brokers and clients of ${var.name}"
  vpc_id      = var.vpc_id
}

# Pollers, connectors and brokers share the group.
resource "aws_vpc_security_group_ingress_rule" "brokers" {
  security_group_id            = aws_security_group.cluster.id
  description                  = "Kafka with IAM, among members of the group"
  referenced_security_group_id = aws_security_group.cluster.id
  ip_protocol                  = "tcp"
  from_port                    = 9098
  to_port                      = 9098
}

resource "aws_vpc_security_group_egress_rule" "brokers" {
  security_group_id            = aws_security_group.cluster.id
  description                  = "Kafka with IAM, among members of the group"
  referenced_security_group_id = aws_security_group.cluster.id
  ip_protocol                  = "tcp"
  from_port                    = 9098
  to_port                      = 9098
}

# Pollers call Lambda, STS and S3; connectors call Secrets Manager.
resource "aws_vpc_security_group_egress_rule" "services" {
  security_group_id = aws_security_group.cluster.id
  description       = "HTTPS to services of AWS"
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}
