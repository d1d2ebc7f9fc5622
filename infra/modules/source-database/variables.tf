variable "name" {
  description = "What the database's resources are named for."
  type        = string
}

variable "database_name" {
  description = "The database to create first."
  type        = string
}

variable "username" {
  description = "The master user."
  type        = string
}

variable "password" {
  description = "The master user's password. It goes to RDS and to Secrets Manager, and is not kept in the state."
  type        = string
  sensitive   = true
}

variable "password_version" {
  description = "Raise it to set another password."
  type        = number
}

variable "engine_version" {
  description = "The version of MySQL, major and minor: 8.4."
  type        = string
}

variable "instance_class" {
  description = "The size of the instance."
  type        = string
}

variable "vpc_id" {
  description = "The network of the database."
  type        = string
}

variable "network_cidr" {
  description = "The network's addresses, from which the database can be reached."
  type        = string
}

variable "subnet_ids" {
  description = "Subnets of the database, in two zones or more."
  type        = list(string)
}

variable "public_ip" {
  description = "The one range of addresses outside from which the database can be reached; null for none."
  type        = string
}

variable "kms_key_arn" {
  description = "A customer's key; null means keys of AWS."
  type        = string
}

variable "force_destroy" {
  description = "Whether the database goes without a last snapshot, and its secret at once."
  type        = bool
}
