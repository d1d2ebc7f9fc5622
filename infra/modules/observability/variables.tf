variable "name" {
  description = "The dashboard's name."
  type        = string
}

variable "region" {
  description = "The region of the metrics."
  type        = string
}

variable "functions" {
  description = "Full names of the functions."
  type        = list(string)
}

variable "workgroup" {
  description = "The Athena workgroup."
  type        = string
}

variable "buckets" {
  description = "Buckets by zone."
  type        = map(string)
}
