/** Names of HTML elements by category. */

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const ELEMENTS = names(
  'a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button ' +
    'canvas caption center cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed ' +
    'fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ' +
    'img input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noscript ' +
    'object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select ' +
    'slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead ' +
    'time title tr track tt u ul var video wbr',
)

/** SVG and MathML elements, in lower case. */
const SVG_ELEMENTS = names(
  'animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix ' +
    'fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight ' +
    'fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology ' +
    'feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter foreignobject g image line ' +
    'lineargradient marker mask metadata mpath path pattern polygon polyline radialgradient rect set stop switch ' +
    'symbol text textpath tspan use view',
)
const MATH_ELEMENTS = names(
  'annotation annotation-xml maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom ' +
    'mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics',
)

const VOID = names('area base br col embed hr img input link meta param source track wbr')
const OPTIONAL_END_TAGS = names(
  'body colgroup dd dt head html li optgroup option p rp rt tbody td tfoot th thead tr',
)
/**
 * Elements that have no effect without attributes. Their bare tags are text, as in `cp <source> <target>`.
 */
const INERT_WHEN_BARE = names('area base col embed input link meta param source track')

/** `isIn` is the language of the enclosing element, if not HTML. */
export function isElementName(name: string, isIn: 'svg' | 'math' | null = null): boolean {
  if (ELEMENTS.has(name)) return true
  const set = isIn === 'svg' ? SVG_ELEMENTS : isIn === 'math' ? MATH_ELEMENTS : null
  return set?.has(name.toLowerCase()) === true
}

/** Also accepts upper case, but not the names of components: `Link`, `Source`. */
export function isVoidElement(name: string): boolean {
  return VOID.has(/^[A-Z]+$/.test(name) ? name.toLowerCase() : name)
}

export function hasOptionalEndTag(name: string): boolean {
  return OPTIONAL_END_TAGS.has(name)
}

export function isInertWhenBare(name: string): boolean {
  return INERT_WHEN_BARE.has(name)
}
