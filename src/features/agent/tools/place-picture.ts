/** place_picture: adds an image from another site or a code repository; agent-loop.ts fetches it. */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

export const placePicture = serverTool({
  name: 'place_picture',
  backend: 'pictures',
  description:
    'Copies a picture into the docs folder, from a URL on the allowed hosts or from a code repository of the project: PNG, JPEG, GIF, WebP, AVIF, or SVG without scripts and external references. The picture counts towards the bytes that you can change. After copying the picture, add it to a page with a description of what it shows.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'Path of the new file, such as "images/dialog.png".' }),
      url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'URL of the picture, if `repository` is omitted.',
        }),
      ),
      repository: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name of the code repository; use together with `file`.',
        }),
      ),
      file: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'Path of the picture in that repository.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
})
