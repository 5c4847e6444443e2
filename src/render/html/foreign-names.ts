/**
 * Names inside of drawings and formulas, as browsers read them: without case, and then with the case that SVG and MathML
 * have. HTML standard, 13.2.6.1 ("adjust SVG attributes", "adjust MathML attributes") and 13.2.6.5 (SVG tag names).
 */

const TAGS = table(
  'altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow ' +
    'feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset ' +
    'fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient ' +
    'radialGradient textPath',
)

const ATTRIBUTES = table(
  'attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits definitionURL diffuseConstant edgeMode ' +
    'filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes ' +
    'lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves ' +
    'pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha ' +
    'preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures ' +
    'specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage ' +
    'tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan',
)

export function foreignTag(name: string): string {
  const lower = name.toLowerCase()
  return TAGS.get(lower) ?? lower
}

export function foreignAttribute(name: string): string {
  const lower = name.toLowerCase()
  return ATTRIBUTES.get(lower) ?? lower
}

function table(names: string): ReadonlyMap<string, string> {
  return new Map(names.split(' ').map((name) => [name.toLowerCase(), name]))
}
