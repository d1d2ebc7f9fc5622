output "cluster_arn" {
  description = "ARN of the cluster."
  value       = aws_msk_serverless_cluster.cluster.arn
}

output "bootstrap_brokers" {
  description = "The brokers to begin with, for clients with IAM authentication."
  value       = aws_msk_serverless_cluster.cluster.bootstrap_brokers_sasl_iam
}

output "security_group_id" {
  description = "The group that brokers and clients share."
  value       = aws_security_group.cluster.id
}
