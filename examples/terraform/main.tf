# Deploys what `npx headstart export --out dist` wrote. After each edit of headroom.yaml: export, then apply.

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
  description = "A bucket in the cluster's region that you have already."
  type        = string
}

variable "stack_name" {
  description = "Stays the same for as long as the headroom is wanted: the objects in the cluster name their stack."
  type        = string
  default     = "headstart"
}

variable "export" {
  description = "The folder that headstart export wrote."
  type        = string
  default     = "dist"
}

locals {
  prefix   = "headstart/"
  template = "${var.export}/headstart.template.json"
}

# The zipped functions. Their names are hashes of what is in them.
resource "aws_s3_object" "function" {
  for_each = fileset("${var.export}/assets", "*.zip")

  bucket = var.bucket
  key    = "${local.prefix}${each.value}"
  source = "${var.export}/assets/${each.value}"

  # The old ones go after the stack was updated: a rollback needs them.
  lifecycle {
    create_before_destroy = true
  }
}

# CloudFormation takes a template of more than 51,200 bytes from a bucket only.
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
  template_url = "https://${var.bucket}.s3.${data.aws_region.current.name}.${data.aws_partition.current.dns_suffix}/${aws_s3_object.template.key}"
  capabilities = ["CAPABILITY_NAMED_IAM"]

  parameters = {
    AssetsBucket = var.bucket
    AssetsPrefix = local.prefix
  }

  # A first deploy that cannot reach the cluster is rolled back and says why in the stack's events.
  on_failure = "ROLLBACK"

  timeouts {
    create = "30m"
    update = "30m"
    delete = "45m"
  }

  depends_on = [aws_s3_object.function]
}

data "aws_region" "current" {}
data "aws_partition" "current" {}

# What `headstart inflate` invokes, the policy for people on call, and the topic of Headstart's own alarms.
output "headroom" {
  value = aws_cloudformation_stack.headroom.outputs
}
