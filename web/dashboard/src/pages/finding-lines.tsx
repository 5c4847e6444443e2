/** A finding and its remedy in the dashboard's language, with the server's original text below. */
import { PlainText } from '../ui/plain-text.tsx'
import { type Finding, translateFinding } from '../words/finding.ts'

export function FindingLines(finding: Finding) {
  const translation = translateFinding(finding)
  if (translation === null)
    return <Sentences english sentence={finding.sentence} remedy={finding.remedy ?? ''} />
  return (
    <>
      <Sentences sentence={translation.meaning} remedy={translation.remedy} />
      {translation.original !== null && (
        <span class="block text-12 break-words text-soft" lang="en" dir="auto">
          <PlainText text={translation.original} />
        </span>
      )}
    </>
  )
}

function Sentences({
  sentence,
  remedy,
  english = false,
}: {
  sentence: string
  remedy: string
  english?: boolean
}) {
  return (
    <span class="block" {...(english ? { lang: 'en', dir: 'auto' } : {})}>
      <span class="break-words">
        <PlainText text={sentence} />
      </span>{' '}
      {remedy !== '' && (
        <span class="break-words text-soft">
          <PlainText text={remedy} />
        </span>
      )}
    </span>
  )
}
