import postcss from 'postcss-old'
import { parser } from './nodes.mjs'

export default parser(postcss)
