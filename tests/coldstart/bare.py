"""The least a Lambda function on Python with a DynamoDB client does: ask, answer, ask again."""

import http.client
import json
import os

import boto3

client = boto3.client(
    "dynamodb", region_name="us-east-1", aws_access_key_id="bench", aws_secret_access_key="bench"
)

runtime = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
base = "/2018-06-01/runtime/invocation/"
while True:
    runtime.request("GET", base + "next")
    reply = runtime.getresponse()
    reply.read()
    request_id = reply.headers["lambda-runtime-aws-request-id"]
    body = json.dumps({"statusCode": 200, "body": "{}"})
    runtime.request("POST", f"{base}{request_id}/response", body)
    runtime.getresponse().read()
