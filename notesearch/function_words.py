"""The function words of many languages, by which the language of a note is recognised.

Most of the English ones are also the stop words of a query (``search/query.py``).
"""

from collections.abc import Mapping

FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """a about all also an and any are as at back be been but by can could did do does
            for from go had has have he her him his how i if in into is it its me my no not of off
            on once only or our out over she should so some such than that the their them then
            there these they this those to too us use using very was we were what when where which
            while who why will with would you your""",
        "de": """aber alle als am an auch auf aus bei beim bis da damit das dass dein dem den der
            des die diese diesem diesen dieser dieses doch du durch ein eine einem einen einer
            eines er es für gegen haben hat hier ich ihr ihre im in ins ist jede jeder kann kein
            keine man mein mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind
            so über um und uns unter vom von vor war was wenn werden wie wir wird wo wurde zu zum
            zur zwischen""",
        "fr": """ai au aux avec ce ces cette chaque comme dans de depuis des donc du elle elles en
            entre est et être eux fait il ils je la le les leur leurs lors lui ma mais mes moi mon
            ne nos notre nous on ont ou où par pas peut plus pour qu quand que quel quelle qui sa
            sans se ses si son sont sous sur ta te tes toi ton tous tout toute très tu un une vos
            votre vous à été""",
        "el": """αλλά αν από αυτό για δε δεν είναι ένα ένας έχει ή η θα και κι με μας μη μην
            μια μου να ο οι όπως όταν ότι που πως σαν σας σε σου στα στη στην στις στο στον
            στους τα τη την της τι τις το τον του τους των ως""",
        "es": """al algo antes aquí asi así bien cada como con cual cuando de del desde donde dos
            el él ella ellos en entre era es esa ese eso esta está están este esto estos fue ha
            hace han hasta hay la las le les lo los más me mi mientras muy nada ni no nos o otra
            otro para pero por porque puede que qué quien se según ser si sí sin sobre son su sus
            también te tiene todo todos tu un una uno unos y ya yo""",
        "it": """a ad al alla alle anche che chi ci come con cui da dal dalla de dei del della
            delle dello di dopo dove e ed è era fra gli ha hanno i il in la le lo loro ma mi
            molto nei nel nella nelle noi non nostro o ogni per perché più poi prima può quale
            quando quella quello questa questo se sei senza si sia solo sono su sua sui sul sulla
            suo tra tu tutti tutto un una uno voi""",
        "pt": """a à ao aos as às até cada com como da das de dela dele do dos e é ela ele eles em
            entre era essa esse esta está este eu foi há isso isto já lhe mais mas me mesmo meu
            minha muito na não nas nem no nos num numa o os ou para pela pelas pelo pelos por
            porque quando que quem se seja sem ser seu seus só sobre sua suas também te tem têm
            todos tu um uma umas uns você""",
        "nl": """aan al alle als bij dan dat de deze die dit door dus een en er geen haar had heb
            heeft hem het hier hij hoe hun ik in is je jij kan kunnen maar me meer met mijn moet na
            naar niet nog nu of om onder ons ook op over te tegen tot u uit van veel voor waar was
            wat we wel werd wie wij wordt worden ze zei zich zij zijn zo zoals zonder zou""",
        "sv": """alla allt än är att av bara blir de dem den denna deras dess det detta dig din du
            efter eller en ett för från ha han har hon här i in inte jag kan man med men mig min
            mot mycket när nu och också om oss på samma sedan sig sin ska skulle så som till under
            upp ut utan vad var vara vi vid vill åt över""",
        "da": """ad af alle alt at blev bliver da de dem den denne der deres det dette dig din du
            efter eller en end er et fik for fordi fra ham han hans har hun hvad hvis hvor i ikke
            ind jeg kan kun man med meget men mig min mod når nu og også om op os over på sig sin
            skal som til ud uden under var ved vi vil være""",
        "nb": """alle alt at av bare ble blir da de dem den denne der det dette du eller en enn er
            et etter for fra ha han har hun hva hvis hvor i ikke inn jeg kan kun man med meg meget
            men min mot nå når og også om opp oss over på seg sin skal slik som til uten under ut
            var ved vi vil være""",
        "fi": """aina ei eivät en ennen ensi että hän hänen he ilman itse ja jo joka jonka jos jossa
            jotka jälkeen kaikki kanssa koska kuin kun kuten me miksi mikä minulla minun minä missä
            miten mukaan mutta myös ne niin nyt näytä ole oli olla olisi ollut on ovat paljon pitää
            se sekä sen siellä siitä sinä sitten sitä tai tämä tämän tässä vain vielä voi voit
            vähän välillä""",
        "pl": """aby albo ale bez być był była było być czy dla do gdy go i ich ile jak jako jego
            jej jest jeśli już który która które lub ma mnie może na nad nie niż o od oraz po pod
            przed przez przy są się tak także tego ten to tu tylko tym w we więc z za ze że""",
        "cs": """a aby ale ani bez být by byl byla bylo co do i ja jak jako je jeho jejich jen ještě
            jsem jsme jsou k kde když který která které ma má na nad nebo není o od po pod podle
            pouze pro proto před přes při s se si tak také tato ten tento to u už v ve více všechny
            z za ze že""",
        "tr": """ama ancak bir biz bu bunu çok da daha de değil diye en gibi hem her için ile ise
            kadar ki mi ne o olan olarak olduğu sadece sonra şu tüm ve veya var ya yeni yok""",
        "id": """ada adalah agar akan anda atau bagi bahwa bisa dalam dan dapat dari dengan di hanya
            harus ini itu jika juga kamu karena ke kepada lebih oleh pada saat saja sama sebagai
            semua sebuah seperti serta setelah sudah suatu tanpa telah tidak untuk yang""",
        "ro": """a acest această ai al ale am ar are asupra au ca care ce cel cele cu cum când că
            dacă dar de decât din doar după este eu fără fi fie fost în într intr și să se sa sau
            sunt la le lor lui mai nu o pe pentru prin sau si ul un una unde unei unui""",
        "hu": """a az be csak de egy ez és ezt hogy ha ki kell lehet meg mert mint minden nem nincs
            olyan pedig s sem szerint úgy után vagy van volt""",
        "ca": """a al als amb aquest aquesta cada com d de del dels des el els en entre és és està
            fins ha hi i l la les més molt no o on per però perquè pot que què quan s se sense ser
            seva seu si són sobre també té tot tots un una uns""",
        "vi": """bạn bằng bị các cái cho chỉ có cùng của cũng đã đang đến để đó được hay hoặc khi
            không là lại mà mỗi một này nếu nhiều như những nó ở phải ra rất sẽ tại thì theo trên
            trong từ tất tôi và vào về với""",
        "sr": """ako ali bez bi bio da do iz ili i je jedan kada kako kao koja koje koji kroz na nad
            ne nego nije o od ove ovo po samo sa se su sve ta to u uz već za što ако али без би
            био да до за и из или је један када како као која које који кроз на над не него није о
            од ова ове ово по пре са само се су све та то у уз већ што""",
        "ru": """без был была были было быть в вам вас во вот все вы где да для до его ее если есть
            еще же за и из или им их к как когда которые который кто ли мне может мой мы на не нет
            ни но о об он она они оно от по под при с со так также там то только тот у уже чего чем
            что чтобы эта эти это этот я""",
        "uk": """або але без був була було бути в ви від він вона вони все де до же за з зі і із й
            його її їх каже коли кожен лише має ми може на над не ні о один по при про після та так
            також там те тільки то у це цей через чи що щоб як якщо яка які який є""",
        "bg": """а ако без беше бъде в ви все във върху да до докато го е един една за и из или им
            има как като когато които който към между на не него нито но о от по под при са само се
            със след така тази те тези този това той тя че ще я""",
        "be": """або але без быў была было быць вы да для дзе з за і іх калі каб як які якая мы на
            не ні пры па пра са так таксама там толькі ў у што гэта гэты ён яна яны""",
        "mk": """ако али без беше во да до ги го да е за и или им како кога која кои кој на не него
            но од ова овој по при са само се со сите ќе што""",
        "ar": """في من على إلى عن أن إن ما لا لم هو هي هذا هذه ذلك التي الذي كان كل مع أو ثم قد بعد
            عند بين غير""",
        "fa": """و در به از که این آن را با برای است یک تا هر یا شود می های بر هم شما اگر کند نمی
            بود""",
        "ur": """اور کے کی کا میں سے ہے کو پر یہ کہ ہیں نے بھی جو اس ایک کر وہ تو""",
    }.items()
}
"""The most common function words of languages in the Latin, Greek, Cyrillic and Arabic scripts.

They are in lower case, by ISO 639-1 code. They show which language a note is in, and which words of
a query have no meaning of their own.
"""
