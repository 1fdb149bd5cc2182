from starlette.applications import Starlette


def pages(context):
    return Starlette()
