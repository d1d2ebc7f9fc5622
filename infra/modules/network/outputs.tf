output "vpc_id" {
  description = "The network."
  value       = aws_vpc.network.id
}

output "cidr" {
  description = "The network's addresses."
  value       = aws_vpc.network.cidr_block
}

output "private_subnet_ids" {
  description = "Subnets without a way out."
  value       = aws_subnet.private[*].id
}

output "public_subnet_ids" {
  description = "Subnets that can be reached from outside; none where nothing asks for them."
  value       = aws_subnet.public[*].id
}
