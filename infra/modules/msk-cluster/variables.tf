variable "name" {
  description = "The cluster's name."
  type        = string
}

variable "vpc_id" {
  description = "The network of the cluster."
  type        = string
}

variable "subnet_ids" {
  description = "Subnets of the cluster, in two zones or more."
  type        = list(string)
}
