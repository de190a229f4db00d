import postcss from 'postcss-new'
import { parser } from './nodes.mjs'

export default parser(postcss)
