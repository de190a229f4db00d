import { XMLParser } from 'fast-xml-parser-new'

export default text => new XMLParser({ ignoreAttributes: false }).parse(text)
