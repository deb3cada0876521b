/**
 * Names of months (as they stand in a date) and weekdays (Monday first): Unicode CLDR 48.0, Gregorian calendar. A table of our own,
 * because those of the platform change with its version, and a run that began before has to read the same.
 */
const NAMES: Readonly<Record<string, string>> = {
  en: 'January|February|March|April|May|June|July|August|September|October|November|December||Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec||Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday||Mon|Tue|Wed|Thu|Fri|Sat|Sun',
  de: 'Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember||Jan.|Feb.|März|Apr.|Mai|Juni|Juli|Aug.|Sept.|Okt.|Nov.|Dez.||Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag||Mo|Di|Mi|Do|Fr|Sa|So',
  fr: 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre||janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.||lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche||lun.|mar.|mer.|jeu.|ven.|sam.|dim.',
  es: 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre||ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic||lunes|martes|miércoles|jueves|viernes|sábado|domingo||lun|mar|mié|jue|vie|sáb|dom',
  it: 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre||gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic||lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica||lun|mar|mer|gio|ven|sab|dom',
  pt: 'janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro||jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.||segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo||seg.|ter.|qua.|qui.|sex.|sáb.|dom.',
  nl: 'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december||jan|feb|mrt|apr|mei|jun|jul|aug|sep|okt|nov|dec||maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag||ma|di|wo|do|vr|za|zo',
  pl: 'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia||sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru||poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela||pon.|wt.|śr.|czw.|pt.|sob.|niedz.',
  cs: 'ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince||led|úno|bře|dub|kvě|čvn|čvc|srp|zář|říj|lis|pro||pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle||po|út|st|čt|pá|so|ne',
  sk: 'januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra||jan|feb|mar|apr|máj|jún|júl|aug|sep|okt|nov|dec||pondelok|utorok|streda|štvrtok|piatok|sobota|nedeľa||po|ut|st|št|pi|so|ne',
  hu: 'január|február|március|április|május|június|július|augusztus|szeptember|október|november|december||jan.|febr.|márc.|ápr.|máj.|jún.|júl.|aug.|szept.|okt.|nov.|dec.||hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap||H|K|Sze|Cs|P|Szo|V',
  ro: 'ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie||ian.|feb.|mar.|apr.|mai|iun.|iul.|aug.|sept.|oct.|nov.|dec.||luni|marți|miercuri|joi|vineri|sâmbătă|duminică||lun.|mar.|mie.|joi|vin.|sâm.|dum.',
  bg: 'януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември||01|02|03|04|05|06|07|08|09|10|11|12||понеделник|вторник|сряда|четвъртък|петък|събота|неделя||пн|вт|ср|чт|пт|сб|нд',
  hr: 'siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|listopada|studenoga|prosinca||sij|velj|ožu|tra|svi|lip|srp|kol|ruj|lis|stu|pro||ponedjeljak|utorak|srijeda|četvrtak|petak|subota|nedjelja||pon|uto|sri|čet|pet|sub|ned',
  sl: 'januar|februar|marec|april|maj|junij|julij|avgust|september|oktober|november|december||jan.|feb.|mar.|apr.|maj|jun.|jul.|avg.|sep.|okt.|nov.|dec.||ponedeljek|torek|sreda|četrtek|petek|sobota|nedelja||pon.|tor.|sre.|čet.|pet.|sob.|ned.',
  el: 'Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου||Ιαν|Φεβ|Μαρ|Απρ|Μαΐ|Ιουν|Ιουλ|Αυγ|Σεπ|Οκτ|Νοε|Δεκ||Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή||Δευ|Τρί|Τετ|Πέμ|Παρ|Σάβ|Κυρ',
  sv: 'januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december||jan.|feb.|mars|apr.|maj|juni|juli|aug.|sep.|okt.|nov.|dec.||måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag||mån|tis|ons|tors|fre|lör|sön',
  da: 'januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december||jan.|feb.|mar.|apr.|maj|jun.|jul.|aug.|sep.|okt.|nov.|dec.||mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag||man.|tirs.|ons.|tors.|fre.|lør.|søn.',
  nb: 'januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember||jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.||mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag||man.|tir.|ons.|tor.|fre.|lør.|søn.',
  fi: 'tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta||tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu||maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai||ma|ti|ke|to|pe|la|su',
  et: 'jaanuar|veebruar|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember||jaan|veebr|märts|apr|mai|juuni|juuli|aug|sept|okt|nov|dets||esmaspäev|teisipäev|kolmapäev|neljapäev|reede|laupäev|pühapäev||E|T|K|N|R|L|P',
  lv: 'janvāris|februāris|marts|aprīlis|maijs|jūnijs|jūlijs|augusts|septembris|oktobris|novembris|decembris||janv.|febr.|marts|apr.|maijs|jūn.|jūl.|aug.|sept.|okt.|nov.|dec.||Pirmdiena|Otrdiena|Trešdiena|Ceturtdiena|Piektdiena|Sestdiena|Svētdiena||Pirmd.|Otrd.|Trešd.|Ceturtd.|Piektd.|Sestd.|Svētd.',
  lt: 'sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio||01|02|03|04|05|06|07|08|09|10|11|12||pirmadienis|antradienis|trečiadienis|ketvirtadienis|penktadienis|šeštadienis|sekmadienis||pr|an|tr|kt|pn|št|sk',
  ga: 'Eanáir|Feabhra|Márta|Aibreán|Bealtaine|Meitheamh|Iúil|Lúnasa|Meán Fómhair|Deireadh Fómhair|Samhain|Nollaig||Ean|Feabh|Márta|Aib|Beal|Meith|Iúil|Lún|MFómh|DFómh|Samh|Noll||Dé Luain|Dé Máirt|Dé Céadaoin|Déardaoin|Dé hAoine|Dé Sathairn|Dé Domhnaigh||Luan|Máirt|Céad|Déar|Aoine|Sath|Domh',
  mt: 'Jannar|Frar|Marzu|April|Mejju|Ġunju|Lulju|Awwissu|Settembru|Ottubru|Novembru|Diċembru||Jan|Fra|Mar|Apr|Mej|Ġun|Lul|Aww|Set|Ott|Nov|Diċ||It-Tnejn|It-Tlieta|L-Erbgħa|Il-Ħamis|Il-Ġimgħa|Is-Sibt|Il-Ħadd||Tne|Tli|Erb|Ħam|Ġim|Sib|Ħad',
  uk: 'січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня||січ.|лют.|бер.|квіт.|трав.|черв.|лип.|серп.|вер.|жовт.|лист.|груд.||понеділок|вівторок|середа|четвер|пʼятниця|субота|неділя||пн|вт|ср|чт|пт|сб|нд',
  ru: 'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря||янв.|февр.|мар.|апр.|мая|июн.|июл.|авг.|сент.|окт.|нояб.|дек.||понедельник|вторник|среда|четверг|пятница|суббота|воскресенье||пн|вт|ср|чт|пт|сб|вс',
  tr: 'Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık||Oca|Şub|Mar|Nis|May|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara||Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar||Pzt|Sal|Çar|Per|Cum|Cmt|Paz',
};

export interface DateNames {
  months: string[];
  shortMonths: string[];
  weekdays: string[];
  shortWeekdays: string[];
}

export const LANGUAGES: readonly string[] = Object.keys(NAMES);

const read = new Map<string, DateNames>();

/** Of a language tag (`de`, `de-AT`); undefined for a language that is not in the table. */
export function namesIn(tag: string): DateNames | undefined {
  const language = tag.toLowerCase().split(/[-_]/)[0] ?? '';
  const known = read.get(language);
  if (known !== undefined || !Object.hasOwn(NAMES, language)) return known;
  const [months = [], shortMonths = [], weekdays = [], shortWeekdays = []] = (NAMES[language] ?? '')
    .split('||')
    .map((list) => list.split('|'));
  const names = { months, shortMonths, weekdays, shortWeekdays };
  read.set(language, names);
  return names;
}
