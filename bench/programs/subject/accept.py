def accept(data):
    return ""
