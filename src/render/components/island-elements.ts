/** Components for Markdown elements, as used by Markdown files in an island. */
export { H1, H2, H3, H4, H5, H6 } from './headings.tsx'
export { Iframe, Img, Input, Pre, Table, Video } from './media.tsx'
