// The function that parallax runs. It rejects the input by what it throws; driver.mjs has the rules. Replace it by a call of yours.
export default function parse(data) {
  return BigInt(data.toString('utf8')).toString()
}
