/** A finding and its remedy in the dashboard's language, with the server's original text below. */
import { PlainText } from '../ui/plain-text.tsx'
import { type Finding, translateFinding } from '../words/finding.ts'

export function FindingLines(finding: Finding) {
  const translation = translateFinding(finding)
  if (translation === null)
    return <Messages english sentence={finding.sentence} remedy={finding.remedy ?? ''} />
  return (
    <>
      <Messages sentence={translation.meaning} remedy={translation.remedy} />
      {translation.original !== null && (
        <span class="block text-12 break-words text-soft" lang="en" dir="auto">
          <PlainText text={translation.original} />
        </span>
      )}
    </>
  )
}

interface MessagesProps {
  sentence: string
  remedy: string
  english?: boolean
}

function Messages({ sentence, remedy, english = false }: MessagesProps) {
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
