variable "name" {
  description = "What the queue is named for."
  type        = string
}

variable "account_id" {
  description = "The account of the bucket."
  type        = string
}

variable "bucket" {
  description = "The bucket that files are dropped into. It can have one notification configuration, which is this one."
  type        = string
}

variable "bucket_arn" {
  description = "ARN of the bucket."
  type        = string
}

variable "function" {
  description = "The function that takes the files."
  type = object({
    arn             = string
    role_name       = string
    timeout_seconds = number
  })
}

variable "partial_batch_responses" {
  description = "Whether the function names the messages that failed. The config document says the same."
  type        = bool
}

variable "max_receives" {
  description = "How often a message is tried before it goes to the dead letters. A large file takes several."
  type        = number
}

variable "max_concurrency" {
  description = "How many invocations may work on drops at once, from 2."
  type        = number
}

variable "alarm_actions" {
  description = "Whom alarms tell, as ARNs."
  type        = list(string)
}
