/** Components for Markdown elements, also for the Markdown files that an island's script contains. */
export { H1, H2, H3, H4, H5, H6 } from './headings.tsx'
export { Iframe, Img, Input, Pre, Table, Video } from './media.tsx'
