/** Search of a hosted site for programs; browsers use the index directly. */
import { type Static, Type } from 'typebox'

/** A query consists of a few words; longer text is cut off. */
export const MAX_SEARCH_QUERY_CHARACTERS = 400

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

export const SearchPagesQuery = Type.Object(
  {
    query: text(MAX_SEARCH_QUERY_CHARACTERS, 'A few words.'),
    language: Type.Optional(text(40, 'Language code such as `en`. Default: the first language of the site.')),
    version: Type.Optional(
      text(300, 'Label of the version whose pages come first. Default: the first version of the site.'),
    ),
  },
  { additionalProperties: false },
)
export type SearchPagesQuery = Static<typeof SearchPagesQuery>

const FoundPassage = Type.Object(
  {
    heading: Type.String({ description: 'Heading of the section; empty for the beginning of the page.' }),
    anchor: Type.Union([Type.String(), Type.Null()], {
      description: "The part of the section's URL after `#`.",
    }),
    text: Type.String({ description: 'The best matching part, as plain text.' }),
  },
  { additionalProperties: false },
)

export const FoundPages = Type.Object(
  {
    language: Type.String({ description: 'Language that was searched.' }),
    results: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'Path of the page on the site.' }),
          title: Type.String(),
          place: Type.Array(Type.String(), {
            description:
              'Labels of the tab and groups in the navigation that contain the page, outermost first.',
          }),
          version: Type.Union([Type.String(), Type.Null()], {
            description: 'Label of its version; null on a site without versions.',
          }),
          passages: Type.Array(FoundPassage),
        },
        { additionalProperties: false },
      ),
      { description: 'Best matches first, at most eight.' },
    ),
  },
  { additionalProperties: false, title: 'FoundPages' },
)
export type FoundPages = Static<typeof FoundPages>
