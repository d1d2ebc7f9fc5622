variable "name" {
  description = "What consumer groups are named for."
  type        = string
}

variable "cluster_arn" {
  description = "The cluster."
  type        = string
}

variable "topics" {
  description = "Topics, each read by a mapping of its own."
  type        = list(string)
}

variable "function" {
  description = "The function that takes the records."
  type = object({
    arn       = string
    role_name = string
  })
}

variable "dead_letter_bucket_arn" {
  description = "The bucket that keeps batches which Lambda gave up on."
  type        = string
}

variable "partial_batch_responses" {
  description = "Whether the function names the partitions that failed, which takes provisioned pollers. The config document says the same."
  type        = bool
}

variable "pollers" {
  description = "How many pollers read a topic at least and at most; null leaves it to Lambda, which then knows no retries, bisecting and partial answers."
  type = object({
    minimum = number
    maximum = number
  })
}

variable "batch_size" {
  description = "The most records of a batch, up to 10,000; 6 MB end it earlier."
  type        = number
}

variable "batching_window_seconds" {
  description = "How long a batch may gather, in seconds."
  type        = number
}

variable "starting_position" {
  description = "Where a new mapping begins: TRIM_HORIZON or LATEST."
  type        = string
}

variable "retries" {
  description = "How often a failing batch is tried again before it goes to the dead letters."
  type        = number
}

variable "bisect" {
  description = "Whether a failing batch is halved, to single out what fails."
  type        = bool
}

variable "scram_secret_arn" {
  description = "User and password of a cluster with SASL/SCRAM; null for IAM."
  type        = string
}
