/** place_picture: adds a picture of another site or a code repository to the docs; place-picture.ts fetches it. */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

export const placePicture = serverTool({
  name: 'place_picture',
  desk: 'pictures',
  description:
    'Copies a picture into the docs folder: from an address of the hosts that are open to you, or from a code repository of the project. PNG, JPEG, GIF, WebP, AVIF, and SVG without scripts and outside references. It counts into the bytes that you may change. Then show it in a page, with words that say what it shows.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'Where it is to be, such as "images/dialog.png".' }),
      url: Type.Optional(
        Type.String({ minLength: 1, maxLength: 2048, description: 'Its address, without `repository`.' }),
      ),
      repository: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name of the code repository, with `file`.',
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
