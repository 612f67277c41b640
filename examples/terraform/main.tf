# Deploys what `headstart export --out dist` wrote. After each edit of headroom.yaml: export, then apply.
# One copy per cluster. A permissions boundary is part of the export: stack.permissionsBoundaryArn in headroom.yaml.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "bucket" {
  description = "An existing bucket in the cluster's region."
  type        = string
}

variable "stack_name" {
  description = "As headstart export prints it: Headstart-<cluster>-<region>. Do not change it after the first deploy: the objects in the cluster name their stack."
  type        = string
}

variable "iam_role_arn" {
  description = "The role that CloudFormation deploys with: docs/policies has what it needs. Without it, the credentials of Terraform."
  type        = string
  default     = null
}

variable "notification_arns" {
  description = "SNS topics for the events of the stack."
  type        = list(string)
  default     = []
}

variable "tags" {
  description = "Tags of the stack and of everything in it. Set them at the first apply."
  type        = map(string)
  default     = {}
}

variable "export" {
  description = "The folder that headstart export wrote."
  type        = string
  default     = "dist"
}

locals {
  # By stack: functions that two clusters have in common would otherwise be one object, and go with the first to be destroyed.
  prefix   = "headstart/${var.stack_name}/"
  template = "${var.export}/headstart.template.json"
}

# The zipped functions, named by the hash of their content.
resource "aws_s3_object" "function" {
  for_each = fileset("${var.export}/assets", "*.zip")

  bucket = var.bucket
  key    = "${local.prefix}${each.value}"
  source = "${var.export}/assets/${each.value}"

  # Delete the old ones only after the stack is updated: a rollback needs them.
  lifecycle {
    create_before_destroy = true
  }
}

# CloudFormation accepts a template of more than 51,200 bytes only from a bucket.
resource "aws_s3_object" "template" {
  bucket = var.bucket
  key    = "${local.prefix}${filesha256(local.template)}.template.json"
  source = local.template

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_cloudformation_stack" "headroom" {
  name         = var.stack_name
  template_url = "https://${data.aws_s3_bucket.artifacts.bucket_regional_domain_name}/${aws_s3_object.template.key}"
  capabilities = ["CAPABILITY_NAMED_IAM"]

  iam_role_arn      = var.iam_role_arn
  notification_arns = var.notification_arns
  tags              = var.tags

  parameters = {
    AssetsBucket = var.bucket
    AssetsPrefix = local.prefix
  }

  # A first deploy that cannot reach the cluster is rolled back; the stack's events have the cause.
  on_failure = "ROLLBACK"

  timeouts {
    create = "30m"
    update = "30m"
    delete = "45m"
  }

  # Add what makes the cluster and Karpenter, where this configuration does: the first apply then waits for both, and a destroy
  # removes the headroom before them. For example: [aws_s3_object.function, module.eks, helm_release.karpenter].
  depends_on = [aws_s3_object.function]
}

data "aws_s3_bucket" "artifacts" {
  bucket = var.bucket
}

# What `headstart inflate` invokes, the policy for people on call, and the topic of Headstart's own alarms.
output "headroom" {
  value = aws_cloudformation_stack.headroom.outputs
}
