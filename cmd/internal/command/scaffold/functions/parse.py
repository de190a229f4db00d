# The function that parallax runs. An exception rejects the input; parallax_driver.py has the rules. Replace it by a call of yours.
def parse(data):
    return int(data.decode("utf-8"))
