import { XMLParser } from 'fast-xml-parser-old'

export default text => new XMLParser({ ignoreAttributes: false }).parse(text)
