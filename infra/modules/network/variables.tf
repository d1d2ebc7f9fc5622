variable "name" {
  description = "What the network is named for."
  type        = string
}

variable "region" {
  description = "The region of the network."
  type        = string
}

variable "cidr" {
  description = "The network's addresses, a /16."
  type        = string
}

variable "availability_zones" {
  description = "Where subnets lie: two zones or more."
  type        = list(string)
}

variable "public" {
  description = "Whether there are subnets that can be reached from outside."
  type        = bool
}

variable "interface_endpoints" {
  description = "Services besides S3 that are reached from the private subnets, by their names in endpoints, such as secretsmanager."
  type        = list(string)
}
