/** Search of a hosted site for programs. Browsers use the index itself. */
import { type Static, Type } from 'typebox'

/** A query consists of a few words. The rest is ignored. */
export const MAX_SEARCH_QUERY_CHARACTERS = 400

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

export const SearchPagesQuery = Type.Object(
  {
    query: text(MAX_SEARCH_QUERY_CHARACTERS, 'A few words.'),
    language: Type.Optional(text(40, 'Language code such as `en`. Default: the first language of the site.')),
    version: Type.Optional(
      text(300, 'Label of a version: its pages come first. Default: the first version of the site.'),
    ),
  },
  { additionalProperties: false },
)
export type SearchPagesQuery = Static<typeof SearchPagesQuery>

const FoundPassage = Type.Object(
  {
    heading: Type.String({ description: 'Of the section; empty for the beginning of the page.' }),
    anchor: Type.Union([Type.String(), Type.Null()], {
      description: 'What follows `#` in the address of the section.',
    }),
    text: Type.String({ description: 'The part of it that fits best, in plain words.' }),
  },
  { additionalProperties: false },
)

export const FoundPages = Type.Object(
  {
    language: Type.String({ description: 'That was searched.' }),
    results: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'Path of the page, as the site has it.' }),
          title: Type.String(),
          place: Type.Array(Type.String(), {
            description: 'Where it stands in the navigation, outermost first.',
          }),
          version: Type.Union([Type.String(), Type.Null()], {
            description: 'Label of its version; null on a site without versions.',
          }),
          passages: Type.Array(FoundPassage),
        },
        { additionalProperties: false },
      ),
      { description: 'Best first, eight at most.' },
    ),
  },
  { additionalProperties: false, title: 'FoundPages' },
)
export type FoundPages = Static<typeof FoundPages>
