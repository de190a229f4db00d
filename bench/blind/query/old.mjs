import qs from 'qs-old'
import { parser } from './shown.mjs'

export default parser(qs)
