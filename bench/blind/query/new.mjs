import qs from 'qs-new'
import { parser } from './shown.mjs'

export default parser(qs)
