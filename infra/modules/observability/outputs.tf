output "dashboard" {
  description = "The dashboard's name."
  value       = aws_cloudwatch_dashboard.lake.dashboard_name
}
