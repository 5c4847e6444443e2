/** A finding and its remedy in the dashboard's language, with the server's original text below. */
import { PlainText } from '../ui/plain-text.tsx'
import { type Finding, toldFinding } from '../words/finding.ts'

export function FindingLines(finding: Finding) {
  const told = toldFinding(finding)
  if (told === null) return <Sentences english sentence={finding.sentence} remedy={finding.remedy ?? ''} />
  return (
    <>
      <Sentences sentence={told.meaning} remedy={told.remedy} />
      {told.original !== null && (
        <span class="block text-12 break-words text-soft" lang="en" dir="auto">
          <PlainText text={told.original} />
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
