"""moto's server, with what a deploy of ours needs beyond it: functions that run.

moto keeps the code of a function but runs it in Docker only, and starts custom
resources without waiting for them. Here both are handed to the suite, which runs
the very code that was uploaded (see function-host.ts) and gives the answer back.
An EKS cluster gets the address of the suite's Kubernetes API. Resources of types
that moto does not know are only recorded, under an id that says so. EventBridge
fills in templates as AWS does, and the suite takes from queues what Lambda would.

    HEADSTART_FUNCTION_HOST   where functions are run, or nothing: then none is
    HEADSTART_FUNCTIONS       a folder for their code
    HEADSTART_KUBE_URL        the address that DescribeCluster shows
    HEADSTART_KUBE_CA         its CA in base64
"""

import hashlib
import io
import json
import os
import re
import sys
import threading
import time
import urllib.parse
import urllib.request
import uuid
import zipfile

from moto.awslambda.models import LambdaFunction
from moto.awslambda.utils import get_backend as lambda_backend
from moto.cloudformation import parsing
from moto.cloudformation.custom_model import CustomModel
from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import ChangeSet, CloudFormationBackend
from moto.cloudformation.parsing import ResourceMap
from moto.cloudformation.responses import CloudFormationResponse
from moto.core.responses import ActionResult
from moto.eks.models import Cluster
from moto.eks.urls import url_paths as eks_urls
from moto.events.utils import EventTemplateParser
from moto.moto_server.werkzeug_app import DomainDispatcherApplication
from moto.server import main
from moto.sqs.models import Queue

HOST = os.environ.get("HEADSTART_FUNCTION_HOST")


def end_with_parent():
    """The suite holds the other end of stdin, so this ends however the suite ends."""
    sys.stdin.read()
    os._exit(0)


def code_of(function):
    """The folder with the function's code, unpacked once."""
    folder = os.path.join(
        os.environ["HEADSTART_FUNCTIONS"], hashlib.sha256(function.code_bytes).hexdigest()
    )
    with zipfile.ZipFile(io.BytesIO(function.code_bytes)) as archive:
        archive.extractall(folder)
    return folder


def run(function, event, kind):
    body = {
        "kind": kind,
        "name": function.function_name,
        "folder": code_of(function),
        "handler": function.handler,
        "environment": function.environment_vars,
        "event": event,
    }
    return tell_host(body)


def tell_host(body):
    request = urllib.request.Request(
        HOST, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=600) as answer:
        return json.load(answer)


def invoke(self, body, request_headers, response_headers):
    answer = run(self, json.loads(body or "{}"), "invoke")
    if answer["failed"]:
        response_headers["x-amz-function-error"] = "Unhandled"
    return json.dumps(answer["payload"]).encode()


def request_custom(resource, request_type, account_id, region_name):
    function = lambda_backend(account_id, region_name).get_function(
        resource.properties["ServiceToken"]
    )
    event = {
        "RequestType": request_type,
        "ServiceToken": resource.properties["ServiceToken"],
        "StackId": resource.stack_id,
        "RequestId": str(uuid.uuid4()),
        "LogicalResourceId": resource.logical_id,
        "ResourceType": resource.resource_type,
        "ResourceProperties": resource.properties,
    }
    if request_type != "Create":
        event["PhysicalResourceId"] = resource.resource_name
    answer = run(function, event, "custom")
    if answer["Status"] != "SUCCESS":
        raise ValidationError(message=answer.get("Reason", "failed"))
    return answer


@classmethod
def create_custom(cls, resource_name, cloudformation_json, account_id, region_name, **kwargs):
    resource = cls(region_name, "", kwargs["LogicalId"], resource_name)
    resource.properties = cloudformation_json["Properties"]
    resource.stack_id = kwargs["StackId"]
    resource.resource_type = kwargs["ResourceType"]
    answer = request_custom(resource, "Create", account_id, region_name)
    resource.resource_name = answer["PhysicalResourceId"]
    resource.set_data(answer.get("Data", {}))
    return resource


class RecordedOnly:
    """Stands for a resource that moto would leave out, so that others can refer to it."""

    def __init__(self, logical_id):
        self.physical_resource_id = f"recorded-only-{logical_id}"

    @classmethod
    def has_cfn_attr(cls, attr):
        return True

    def get_cfn_attribute(self, attribute_name):
        value = f"{self.physical_resource_id}-{attribute_name}"
        return f"arn:aws:recorded:::{value}" if attribute_name.endswith("Arn") else value

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **kwargs):
        return cls(kwargs["LogicalId"])

    def is_created(self):
        return True

    def delete(self, account_id, region_name):
        pass


def class_of(resource_type):
    return known_class(resource_type) or RecordedOnly


def delete_stack_resources(self):
    """Custom resources first, the last one made before the others, while their functions are still there.

    moto does not know the policy RetainExceptOnCreate, and asks it of no custom resource.
    """
    kept = {key for key, one in self._resource_json_map.items() if one.get("DeletionPolicy", "").startswith("Retain")}
    for logical_id in kept:
        self._resource_json_map[logical_id]["DeletionPolicy"] = "Retain"
    custom = [
        one for one in self._parsed_resources.items() if isinstance(one[1], CustomModel) and one[0] not in kept
    ]
    for logical_id, resource in reversed(custom):
        request_custom(resource, "Delete", self._account_id, self._region_name)
        self._parsed_resources.pop(logical_id)
    delete_all(self)


def apply_change_set(self):
    """moto forgets the outputs of a stack that a change set makes."""
    apply_changes(self)
    self.stack.output_map = parsing.OutputMap(self.stack.resource_map, self.template_dict, self.stack.stack_id)


def update_termination_protection(self):
    stack = self.cloudformation_backend.get_stack(self._get_param("StackName"))
    stack.enable_termination_protection = self._get_param("EnableTerminationProtection") in (True, "true")
    return ActionResult({"StackId": stack.stack_id})


def delete_unprotected(self, name_or_stack_id):
    stack = self.get_stack(name_or_stack_id)
    if stack.enable_termination_protection:
        raise ValidationError(
            message=f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled"
        )
    # CloudFormation goes on describing a stack while its resources go; moto would not find it.
    stack.status = "DELETE_IN_PROGRESS"
    self.deleted_stacks[stack.stack_id] = stack
    delete_stack(self, name_or_stack_id)


def known_cluster(self, *args, **kwargs):
    make_cluster(self, *args, **kwargs)
    # moto gives one id to all.
    self.identity = {"oidc": {"issuer": f"https://oidc.eks.amazonaws.com/id/{uuid.uuid4().hex.upper()}"}}
    self.endpoint = os.environ.get("HEADSTART_KUBE_URL", self.endpoint)
    if "HEADSTART_KUBE_CA" in os.environ:
        self.certificate_authority = {"data": os.environ["HEADSTART_KUBE_CA"]}
    groups = self.resources_vpc_config.get("securityGroupIds")
    if groups:
        self.resources_vpc_config["clusterSecurityGroupId"] = groups[0]


def drop_access_policy(request, full_url, headers):
    """moto knows no access entries; the suite keeps what is taken off one."""
    if HOST and request.method == "DELETE":
        tell_host({"kind": "policy", "name": urllib.parse.unquote(urllib.parse.urlparse(full_url).path)})
    return 200, {}, "{}"


def service_of(self, environ, path):
    """moto finds the service of a call in its Authorization header only; a presigned call has it in the query."""
    query = urllib.parse.parse_qs(environ.get("QUERY_STRING", ""))
    if "HTTP_AUTHORIZATION" not in environ and "X-Amz-Credential" in query:
        environ["HTTP_AUTHORIZATION"] = f"AWS4-HMAC-SHA256 Credential={query['X-Amz-Credential'][0]}, "
    return known_service(self, environ, path)


def fill_in(input_template, input_paths_map, event):
    """moto gives times as numbers, and the ingestion time as a part of the event."""
    if not input_template:
        return known_template(input_template, input_paths_map, event)

    def iso(seconds):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(float(seconds)))

    put = {key: value for key, value in event.items() if key != "ingestion-time"}
    variables = {
        "aws.events.event.json": {**put, "time": iso(event["time"])},
        "aws.events.event.ingestion-time": iso(event["ingestion-time"]),
    }
    # A string gets quotes unless the template has them.
    filled = re.sub(r'"?<(aws\.events\.[\w.-]+)>"?', lambda found: json.dumps(variables[found[1]]), input_template)
    return json.loads(filled)


def add_message(self, message):
    """moto would invoke a function for each message at once, and not ask which of them failed."""
    self.lambda_event_source_mappings = {}
    add_only(self, message)


known_template = EventTemplateParser.parse
EventTemplateParser.parse = staticmethod(fill_in)
add_only = Queue.add_message
Queue.add_message = add_message
known_service = DomainDispatcherApplication.infer_service_region_host
DomainDispatcherApplication.infer_service_region_host = service_of
delete_all = ResourceMap.delete
apply_changes = ChangeSet.apply
known_class = parsing.resource_class_from_type
make_cluster = Cluster.__init__
delete_stack = CloudFormationBackend.delete_stack
CloudFormationBackend.delete_stack = delete_unprotected
CloudFormationResponse.update_termination_protection = update_termination_protection
Cluster.__init__ = known_cluster
eks_urls["{0}/clusters/(?P<name>[^/]+)/access-entries/(?P<entry>.+)$"] = drop_access_policy
if HOST:
    LambdaFunction.invoke = invoke
    CustomModel.create_from_cloudformation_json = create_custom
    ResourceMap.delete = delete_stack_resources
    parsing.resource_class_from_type = class_of
    ChangeSet.apply = apply_change_set

threading.Thread(target=end_with_parent, daemon=True).start()
main()
