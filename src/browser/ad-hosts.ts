/**
 * Hosts that serve advertising or measure visitors, and nothing that a page shows as its content; each with its
 * subdomains. Written for Trawl from what these companies say of themselves. Tag managers, consent platforms, tests of
 * variants, video players and error reports are not on it: pages wait for them.
 */
const AD_HOSTS: ReadonlySet<string> = new Set(
  `
    2mdn.net 33across.com 360yield.com 3lift.com a-mo.net aaxads.com ad-delivery.net ad-stir.com ad.gt adblade.com
    adcolony.com adform.net adgrx.com adhigh.net adition.com adkernel.com admanmedia.com admixer.net admob.com adnami.io
    adnxs-simple.com adnxs.com adotmob.com adpushup.com adrecover.com ads-twitter.com ads.linkedin.com ads.pinterest.com
    ads.reddit.com ads.yahoo.com adsafeprotected.com adscale.de adsco.re adserver.org adskeeper.com adspirit.de adsrvr.org
    adsterra.com adsymptotic.com adtechus.com adtelligent.com adtng.com adyoulike.com agkn.com alexametrics.com
    amazon-adsystem.com an.yandex.ru analytics.tiktok.com analytics.twitter.com analytics.yahoo.com aniview.com
    app-measurement.com appier.net appnexus.com aralego.com atdmt.com atwola.com autoadserve.com avantisvideo.com
    bat.bing.com betweendigital.com bidr.io bidswitch.net bidtellect.com blismedia.com bluekai.com bounceexchange.com
    brandmetrics.com brealtime.com browsiprod.com btloader.com btrll.com buysellads.com buysellads.net carbonads.com
    carbonads.net casalemedia.com cdn.heapanalytics.com cdn.mxpnl.com chartbeat.com chartbeat.net clarity.ms clean.gg
    clickagy.com clicktale.net cloudflareinsights.com cnzz.com connect.facebook.net connectad.io contentsquare.net
    contextweb.com conversantmedia.com coremetrics.com counter.yadro.ru crazyegg.com creativecdn.com criteo.com criteo.net
    crwdcntrl.net ct.pinterest.com deepintent.com demdex.net digitru.st distroscale.com dmxleo.com dotmetrics.net
    dotomi.com doubleclick.net doubleverify.com dtscout.com e-planning.net ebxcdn.com edigitalsurvey.com
    effectivemeasure.net emxdgt.com engageya.com eskimi.com events.redditmedia.com everesttech.net exelator.com
    exoclick.com exosrv.com exponential.com eyeota.net fastclick.net flashtalking.com fluct.jp freewheel.tv fullstory.com
    fwmrm.net geistm.com gemius.pl getclicky.com globalwebindex.net go-mpulse.net google-analytics.com googleadservices.com
    googlesyndication.com googletagservices.com grapeshot.co.uk gumgum.com heapanalytics.com histats.com hm.baidu.com
    hotjar.com hotjar.io hs-analytics.net hsadspixel.net id5-sync.com improvedigital.com imrworldwide.com indexww.com
    infolinks.com inmobi.com innovid.com insightexpressai.com inskinad.com intentiq.com intergi.com ioam.de iocnt.net
    ipromote.com ivitrack.com jivox.com justpremium.com kargo.com kissmetrics.com kissmetrics.io komoona.com krushmedia.com
    krxd.net liadm.com ligatus.com lijit.com liveintent.com lkqd.net lockerdome.com logrocket.com logrocket.io loopme.me
    luckyorange.com luckyorange.net magsrv.com marfeel.com matheranalytics.com mathtag.com maxymiser.net mc.yandex.ru
    mediaalpha.com mediabong.com mediago.io mediamath.com mediaplex.com meetrics.net mfadsrvr.com mgid.com ml314.com
    mmstat.com moatads.com moatpixel.com mookie1.com mopub.com mouseflow.com mxptint.net nativo.com navdmp.com netmng.com
    nexac.com nr-data.net ntv.io ogury.io omnitagjs.com omtrdc.net onaudience.com onetag-sys.com openx.net optable.co
    optmnstr.com outbrain.com outbrainimg.com owneriq.net padsdel.com pbstck.com perfectaudience.com permutive.app
    pingdom.net pippio.com pixel.wp.com plista.com popads.net popcash.net popin.cc pos.baidu.com postrelease.com
    primis.tech propellerads.com pub.network pubmatic.com pubmine.com pubnation.com pulsepoint.com pushcrew.com
    pushengage.com pushwoosh.com px.ads.linkedin.com quantcount.com quantserve.com r.msn.com realsrv.com realytics.io
    resetdigital.co revcontent.com revjet.com rezync.com rfihub.com rfihub.net richaudience.com rlcdn.com rtbhouse.com
    rtmark.net rubiconproject.com sail-horizon.com sascdn.com sc-static.net scorecardresearch.com segment.io semasio.net
    servebom.com serving-sys.com sharethrough.com siftscience.com simpleanalyticscdn.com simplereach.com simpli.fi
    sitescout.com smaato.net smadex.com smartadserver.com smartclip.net smartlook.com smilewanted.com snap.licdn.com
    snapads.com sojern.com sonobi.com sovrn.com sp.analytics.yahoo.com spotx.tv spotxchange.com springserve.com
    stackadapt.com statcounter.com static.ads-twitter.com stats.wp.com steelhousemedia.com stickyadstv.com
    stroeerdigitalgroup.de swrve.com taboola.com tapad.com tapjoy.com teads.tv tealiumiq.com technoratimedia.com
    telaria.com theadex.com thebrighttag.com tns-counter.ru top-fwz1.mail.ru tr.snapchat.com trackjs.com trafficfactory.biz
    trafficjunky.net trafficstars.com travelaudience.com tremorhub.com tribalfusion.com triplelift.com tru.am truoptik.com
    trustx.org tynt.com undertone.com unityads.unity3d.com unrulymedia.com usemax.de userreport.com vdopia.com vidazoo.com
    videoamp.com vungle.com w55c.net webtrekk.net webtrends.com webtrendslive.com widespace.com wt-safetag.com
    wunderkind.co wzrkt.com xaxis.com xiti.com yandexadexchange.net yieldlab.net yieldlove.com yieldmo.com
    yieldoptimizer.com zedo.com zemanta.com zeotap.com zqtk.net
  `
    .trim()
    .split(/\s+/),
);

/** Whether a host serves advertising or measures visitors. */
export function isAdHost(hostname: string): boolean {
  let name = hostname;
  for (;;) {
    if (AD_HOSTS.has(name)) return true;
    const dot = name.indexOf('.');
    if (dot < 0) return false;
    name = name.slice(dot + 1);
  }
}
